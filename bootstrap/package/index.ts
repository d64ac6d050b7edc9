/** The entry point `portolan`: embedding a server, and its configuration. */

export type { Dispatched, Dispatcher, McpCaller } from '#adapters/mcp/protocol/dispatcher.ts';
export type { RpcRequest } from '#adapters/mcp/protocol/json-rpc.ts';
export type { Transport } from '#adapters/mcp/transports/sdk-transport.ts';
export { fromMcp, type McpOptions } from '#adapters/services/from-mcp/from-mcp.ts';
export {
  defineConfig,
  type NotesSink,
  type PortolanConfig,
  type SinkContext,
  type StoresContext,
} from '#bootstrap/config/portolan-config.ts';
export { readSettings, type Settings, settingsSchema } from '#bootstrap/config/settings.ts';
export type { ClientDispatcher, ConnectingClient } from '#bootstrap/package/client-dispatcher.ts';
export { createPortolan, type Portolan, type PortolanOptions } from '#bootstrap/package/create-portolan.ts';
export { ConfigError } from '#bootstrap/start/first-start.ts';
export { SettingErrors } from '#infrastructure/config/read-env.ts';
