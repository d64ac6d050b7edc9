/**
 * Which note `/active/` means, as there is no window here: the note that was last opened through
 * `/open/`, or while there is none, the one that was last written through the interface. Forgotten at a restart.
 */
export class ActiveNote {
  #opened: string | null = null;
  #written: string | null = null;

  /** The path, or null when nothing has been opened or written yet, or it has been deleted since. */
  get path(): string | null {
    return this.#opened ?? this.#written;
  }

  /** Makes an opened note the active one. */
  open(path: string): void {
    this.#opened = path;
  }

  /** Makes a written note the active one, while none has been opened. */
  touch(path: string): void {
    this.#written = path;
  }

  /** Forgets a removed note. */
  forget(path: string): void {
    if (this.#opened === path) this.#opened = null;
    if (this.#written === path) this.#written = null;
  }
}
