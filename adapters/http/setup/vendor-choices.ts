import { z } from 'zod';
import type { ServiceSetup } from '#adapters/contracts/setup-guides.ts';
import { awaitsRestart } from '#application/setup/vendor-choice.ts';
import { listed } from '#domain/text/listed.ts';

/** The schema of the vendors that an administrator chooses for a service, each once; none takes the choice away. */
export function vendorsSchema({ choice: { offered, isFromEnvironment } }: ServiceSetup) {
  const error = `must be some of ${listed(offered)}, each once, the first one first`;
  return z
    .array(z.string(), { error })
    .refine((given) => given.every((name, at) => offered.includes(name) && given.indexOf(name) === at), { error })
    .refine(() => !isFromEnvironment, { error: 'are set in the environment, which wins' });
}

/** The vendors of a service as JSON. */
export function choiceAsJson({ choice }: ServiceSetup) {
  const { running, next, offered, isFromEnvironment } = choice;
  return {
    in_use: running,
    from_next_start: next,
    offered,
    is_from_environment: isFromEnvironment,
    needs_restart: awaitsRestart(choice),
  };
}

/** The vendors of a service on the page of one of them; null where there is nothing to choose. */
export function shownChoice({ service, choice, guides }: ServiceSetup, dialect: string) {
  const { next, kept, offered, isFromEnvironment } = choice;
  if (offered.length < 2) return null;
  const nameOf = (name: string): string => guides.find((guide) => guide.dialect === name)?.vendor ?? 'another provider';
  return {
    vendor: nameOf(dialect),
    dialect,
    isUsed: next.includes(dialect),
    // Whoever opens the page of a vendor while none is used is about to use it.
    isUsual: kept.length === 0,
    isFromEnvironment,
    variable: `${service.toUpperCase()}_DIALECT`,
    restart: awaitsRestart(choice) ? listed(next.map(nameOf)) : null,
  };
}
