import type { Ask, Reply } from '#test/emulators/signing/exchange.ts';
import type { LifeCycle } from '#test/emulators/signing/life-cycle.ts';
import type { Webhooks } from '#test/emulators/signing/webhooks.ts';
import type { World } from '#test/emulators/signing/world.ts';

/** What handlers work with. */
export type HandlerDependencies = Readonly<{ world: World; lifeCycle: LifeCycle; webhooks: Webhooks }>;

/** Answers one request. */
export type Handler = (parts: HandlerDependencies, ask: Ask) => Reply;
