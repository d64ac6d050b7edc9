import type { PromptMessage } from '#adapters/mcp/protocol/messages.ts';
import type { MethodContext } from '#adapters/mcp/protocol/method.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** An argument of a prompt. */
export type PromptArgument = Readonly<{ name: string; title?: string; description: string; required: boolean }>;

/** A prompt: a piece of work that a person starts. */
export type Prompt = Readonly<{
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** The services without which it makes no sense: it is shown to those who may use them all. */
  needs: readonly ServiceKey[];
  /** Values for an argument that begin with what was typed. */
  complete?(context: MethodContext, argument: string, typed: string): Promise<readonly string[]>;
  messages(
    args: Readonly<Record<string, string>>,
    context: MethodContext,
  ): Promise<readonly PromptMessage[]> | readonly PromptMessage[];
}>;
