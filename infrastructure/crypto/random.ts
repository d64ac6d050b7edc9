import { randomBytes } from 'node:crypto';

/** The operating system's secure random numbers. */
export const systemRandom = { token: (bytes: number): string => randomBytes(bytes).toString('base64url') };
