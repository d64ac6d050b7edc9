import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { fixtureTool, said } from '#test/conformance/fixture-tool.ts';

/** Makes a connection of the user come or go, or a permission. */
export type Switches = Readonly<{ connection(): Promise<void>; permission(): Promise<void> }>;

/** The tools of the suite by which lists become others. */
export const changingTools = ({ connection, permission }: Switches): readonly Tool[] => [
  fixtureTool('test_trigger_tool_change', async () => {
    await connection();
    return said('A connection came or went.');
  }),
  fixtureTool('test_trigger_prompt_change', async () => {
    await permission();
    return said('A permission came or went.');
  }),
];
