/**
 * How much processor time the main thread takes from one turn of its event loop to the next: others wait for as long at least, and
 * what other processes do does not count. Watched from the first time that it is asked for.
 */
export class Turns {
  #longest = 0;
  #before = 0;
  #isWatched = false;

  /** The longest since this was asked last, in ms. */
  longestMs(): number {
    if (!this.#isWatched) setInterval(() => this.#look(), 1).unref();
    this.#isWatched = true;
    this.#look();
    const longest = this.#longest;
    this.#longest = 0;
    return longest;
  }

  #look(): void {
    const { user, system } = process.threadCpuUsage();
    const now = (user + system) / 1_000;
    if (this.#before > 0) this.#longest = Math.max(this.#longest, now - this.#before);
    this.#before = now;
  }
}
