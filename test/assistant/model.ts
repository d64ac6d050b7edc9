import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Assistant } from '#test/assistant/task.ts';
import { day } from '#test/assistant/world/company.ts';

const timeoutMs = 600_000;

/**
 * An assistant that is a program: it is started once for each task by a shell, reads one line of JSON on standard input
 * (`{"request", "today", "mcp": {"url", "token"}}`), speaks MCP over Streamable HTTP with the token as a bearer, and
 * writes what it answers the person to standard output. An exit code other than 0 is a failure.
 */
export const programAssistant =
  (command: string): Assistant =>
  async ({ ask }, mcp) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'], timeout: timeoutMs });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify({ request: ask, today: day(0), mcp })}\n`);
    const [answer, code] = await Promise.all([text(child.stdout), ended]);
    if (code !== 0) throw new Error(`The program ended with ${String(code)}`);
    return answer.trim();
  };
