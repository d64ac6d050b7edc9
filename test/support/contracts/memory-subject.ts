import type { Opened, OpenOptions, Subject } from '#test/contracts/kit/subject.ts';

/** An in-memory store as a subject: not durable, and not shared between processes. */
export function memorySubject<Port>(name: string, make: (options: OpenOptions) => Port): Subject<Port> {
  const open = async (options: OpenOptions): Promise<Opened<Port>> => ({
    port: make(options),
    close: async () => undefined,
  });
  return {
    name,
    open,
    reopen: (_, options) => open(options),
    beside: (_, options) => open(options),
    supports: { durable: false, processes: false },
  };
}
