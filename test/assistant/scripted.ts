import { withTools } from '#test/assistant/session.ts';
import type { Assistant } from '#test/assistant/task.ts';

/** The assistant that makes the calls written beside each task, over the MCP SDK’s own client. */
export const scripted: Assistant = ({ act, ask }, { url, token }) => withTools({ url, token, ask }, act);
