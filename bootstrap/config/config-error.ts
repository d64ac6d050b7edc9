import { StartError } from '#bootstrap/start/first-start.ts';

/**
 * Thrown for an error in a configuration; the message is one sentence with the place and the remedy, printed without a
 * stack.
 */
export class ConfigError extends StartError {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}
