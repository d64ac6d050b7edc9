import { type Answer, refuseStatus } from '#adapters/embedded-vault/routes/answer.ts';
import type { VaultHandler } from '#adapters/embedded-vault/routes/vault-handler.ts';
import type { InProcessAnswer, InProcessRequest, InProcessServer } from '#infrastructure/http/in-process.ts';

/** The server for requests of this process, and how to close it. */
export type VaultInProcess = Readonly<{
  server: InProcessServer;
  /** Rejects new requests with 503, and resolves when those in flight have been answered. */
  close(): Promise<void>;
}>;

/** Answers requests of this process with the same handler as the socket. */
export function vaultInProcess(handle: VaultHandler): VaultInProcess {
  const underWay = new Set<Promise<Answer>>();
  let isClosed = false;
  return {
    server: async (request) => {
      if (isClosed) return toInProcess(refuseStatus(503, 'The vault is being closed.'));
      const answering = answered(handle, request);
      underWay.add(answering);
      try {
        return toInProcess(await answering);
      } finally {
        underWay.delete(answering);
      }
    },
    close: async () => {
      isClosed = true;
      await Promise.all(underWay);
    },
  };
}

function answered(handle: VaultHandler, { method, target, headers, body }: InProcessRequest): Promise<Answer> {
  return handle({
    method,
    target,
    header: (name) => headers.get(name.toLowerCase()),
    body: async (limit) => (body.length > limit ? null : body),
  });
}

function toInProcess({ status, headers, body }: Answer): InProcessAnswer {
  const lower: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) lower[name.toLowerCase()] = value;
  const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? empty);
  return { status, headers: lower, body: bytes };
}

const empty = Buffer.alloc(0);
