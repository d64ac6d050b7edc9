/** Tells the time of day. */
export interface Clock {
  /** Returns the current time, in Unix milliseconds. */
  now(): number;
}
