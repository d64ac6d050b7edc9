import { type Answer, refuseStatus } from '#adapters/vault-folder/routes/answer.ts';
import type { VaultCall, VaultHandler } from '#adapters/vault-folder/routes/vault-handler.ts';
import { own } from '#domain/shared/own.ts';
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
    server: (request) => {
      if (isClosed) return toInProcess(refuseStatus(503, 'The vault is being closed.'));
      const answer = handle(callOf(request));
      if (!(answer instanceof Promise)) return toInProcess(answer);
      underWay.add(answer);
      return answer.finally(() => underWay.delete(answer)).then(toInProcess);
    },
    close: async () => {
      isClosed = true;
      await Promise.all(underWay);
    },
  };
}

function callOf({ method, target, headers, body }: InProcessRequest): VaultCall {
  return {
    method,
    target,
    header: (name) => own(headers, name),
    body: (limit) => (body.length > limit ? null : body),
  };
}

function toInProcess({ status, headers, body }: Answer): InProcessAnswer {
  return { status, headers, body: typeof body === 'string' ? Buffer.from(body) : (body ?? empty) };
}

const empty = Buffer.alloc(0);
