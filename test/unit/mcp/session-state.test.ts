import { describe, expect, it } from 'vitest';
import { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import { restore, stateText } from '#adapters/mcp/transports/session-state.ts';

const takenOver = (capabilities: ClientChannel['capabilities']) => {
  const [first, second] = [new ClientChannel(), new ClientChannel()];
  first.capabilities = capabilities;
  restore(second, stateText(first));
  const client = second.askThrough(() => {}, new AbortController().signal);
  return [client.can('elicitation/create'), client.elicits('form'), client.elicits('url')];
};

describe('a session that another server takes over', () => {
  it.each([
    [{}, [false, false, false]],
    [{ elicitation: {} }, [true, true, false]],
    [{ elicitation: { form: {} } }, [true, true, false]],
    [{ elicitation: { url: {} } }, [true, false, true]],
    [{ elicitation: { url: {}, form: {} } }, [true, true, true]],
    [{ sampling: {} }, [false, false, false]],
  ])('knows how a client with %j elicits (ASK-025)', (capabilities, expected) => {
    expect(takenOver(capabilities)).toEqual(expected);
  });
});
