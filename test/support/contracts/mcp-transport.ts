import type { TransportSubject } from '#test/contracts/mcp-transport.ts';
import {
  openSharedSse,
  openSharedStreamable,
  openSse,
  openStreamable,
} from '#test/support/contracts/http-transports.ts';
import { openSdk, openSocket, openStreams } from '#test/support/contracts/line-transports.ts';

const supports = { durable: false, processes: false, clock: false };

/** The transports of this server, and the MCP SDK's own server in place of its dispatcher. */
export const mcpTransports: readonly TransportSubject[] = [
  { name: 'streamable HTTP', supports, open: openStreamable },
  { name: 'HTTP+SSE', supports, open: openSse },
  { name: 'streamable HTTP of three servers', supports, open: openSharedStreamable },
  { name: 'HTTP+SSE of three servers', supports, open: openSharedSse },
  { name: 'stdio', supports, open: openStreams },
  { name: 'a Unix socket', supports, open: openSocket },
  { name: 'the SDK’s server', supports, open: openSdk },
];
