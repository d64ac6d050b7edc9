/** The time of day. */
export interface Clock {
  /** Now, in Unix milliseconds. */
  now(): number;
}
