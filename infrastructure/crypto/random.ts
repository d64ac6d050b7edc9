import { randomBytes } from 'node:crypto';

/** Randomness from the operating system. */
export const systemRandom = { token: (bytes: number): string => randomBytes(bytes).toString('base64url') };
