/**
 * Tracks the note that `/active/` refers to, as there is no window: the note last opened through `/open/`, or, if none
 * has been, the one last written through the interface. Not kept across restarts.
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

  /** Clears a removed note. */
  forget(path: string): void {
    if (this.#opened === path) this.#opened = null;
    if (this.#written === path) this.#written = null;
  }
}
