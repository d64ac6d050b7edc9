import { isCancel, password as promptPassword } from '@clack/prompts';
import type { Terminal } from '#adapters/cli/terminal.ts';
import { visibleText } from '#domain/shared/visible-text.ts';

/** The maximum length of a password's line, in bytes. */
const maxLineLength = 8_192;

/** The terminal of this process. Prompts go to standard error, so that standard output holds only results. */
export const systemTerminal: Terminal = {
  say: (text) => void process.stdout.write(`${visibleText(text)}\n`),
  complain: (text) => void process.stderr.write(`${visibleText(text)}\n`),
  newPassword: async (error) => (process.stdin.isTTY ? askTwice(error) : firstLine(process.stdin)),
};

/** Asks until two entries are the same; null when the person cancels with Ctrl-C or Escape. */
async function askTwice(error: (password: string) => string | null): Promise<string | null> {
  const ask = (message: string, validate: (given: string | undefined) => string | undefined) =>
    promptPassword({ message, validate, output: process.stderr });
  const first = await ask('New password', (given) => error(given ?? '') ?? undefined);
  if (isCancel(first)) return null;
  const second = await ask('Repeat the password', (given) => (given === first ? undefined : 'The passwords differ.'));
  return isCancel(second) ? null : first;
}

/** Reads the first line of a stream, without its line end; whatever follows is left unread. */
export async function firstLine(stream: AsyncIterable<Uint8Array | string>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.includes('\n') || text.length > maxLineLength) break;
  }
  return (text.split('\n')[0] ?? '').replace(/\r$/, '').slice(0, maxLineLength);
}
