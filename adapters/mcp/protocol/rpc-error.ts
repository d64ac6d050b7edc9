/** Thrown to answer a request with a JSON-RPC error; message and data are sent to the client unchanged. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>> | null;

  constructor(code: number, message: string, data: Readonly<Record<string, unknown>> | null = null) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
