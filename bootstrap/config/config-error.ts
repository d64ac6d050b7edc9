import { StartError } from '#bootstrap/first-start.ts';

/** Thrown for a fault in a configuration: one sentence with the place and what would be right, printed without a stack. */
export class ConfigError extends StartError {
  constructor(message: string) {
    super(message);
    this.name = 'ConfigError';
  }
}
