import type { PromptMessage } from '#adapters/mcp/protocol/messages.ts';
import type { MethodContext } from '#adapters/mcp/protocol/method.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** An argument of a prompt. */
export type PromptArgument = Readonly<{ name: string; title?: string; description: string; required: boolean }>;

/** A prompt: a task that a person starts from their client. */
export type Prompt = Readonly<{
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  /** The services it needs: it is shown to users who may use all of them. */
  needs: readonly ServiceKey[];
  /** Completes an argument with values that what was typed starts, or is a part of. */
  complete?(context: MethodContext, argument: string, typed: string): Promise<readonly string[]>;
  messages(
    args: Readonly<Record<string, string>>,
    context: MethodContext,
  ): Promise<readonly PromptMessage[]> | readonly PromptMessage[];
}>;

/** Prompts that come and go, as they are for the caller now; those that they may not use are left out where they are shown. */
export type PromptSource = (context: MethodContext) => Promise<readonly Prompt[]>;
