import type { RequestListener } from 'node:http';
import Koa from 'koa';
import type { UnreadableRows } from '#adapters/contracts/unreadable-rows.ts';
import { mountBeneath } from '#adapters/http/beneath-koa.ts';
import { logConnectionFailure } from '#adapters/http/middleware/client-gone.ts';
import { busyAnswers } from '#adapters/http/middleware/every-answer.ts';
import { readBody } from '#adapters/http/middleware/read-body.ts';
import { type Pipeline, type PipelineDependencies, type PipelineSettings, pipeline } from '#adapters/http/pipeline.ts';
import type { RouteGroup } from '#adapters/http/route.ts';
import { programsOf, routersOf } from '#adapters/http/routers.ts';
import type { PipelineStep } from '#adapters/http/visit.ts';
import type { Logger } from '#application/ports/logger.ts';
import { endTogether, limitBodies } from '#infrastructure/http/server-bodies.ts';

/** The dependencies of the HTTP interface, and all routes. `bodyLimitBytes` bounds the bodies that are parsed; 1 MiB by default. */
type AppDependencies = Omit<PipelineDependencies, 'settings'> &
  Readonly<{
    routeGroups: readonly RouteGroup[];
    /** The stored rows that cannot be read, which pages mention. */
    unreadable?: UnreadableRows;
    settings: PipelineSettings & Readonly<{ bodyLimitBytes?: number }>;
  }>;

/**
 * Builds the whole HTTP interface. The pipeline is mounted twice: on Koa with all routes, and beneath Koa with those of
 * programs, since Koa's context and routers take a fifth of the time of a tool call (docs/architecture.md). Method and
 * path alone decide which.
 */
export function buildApp({ routeGroups, settings, unreadable, ...others }: AppDependencies): RequestListener {
  const steps = pipeline({ ...others, settings });
  const { logger } = others;
  const onKoa = mountOnKoa(steps, { routeGroups, settings, logger, unreadable });
  const programs = programsOf(routeGroups);
  const answerBusy = busyAnswers({ isHttps: settings.baseUrl.startsWith('https:') });
  const { trustProxy } = settings;
  const beneath = mountBeneath(steps, { programs, otherwise: onKoa, answerBusy, trustProxy, logger });
  return limitBodies(beneath);
}

/**
 * Batches JSON responses with the other responses of the same event-loop turn, as beneath Koa; Koa writes all others.
 */
const batchJsonWrites: Koa.Middleware = async (ctx, next) => {
  await next();
  const { body, res, method } = ctx;
  if (ctx.respond === false || method === 'HEAD' || !isPlain(body)) return;
  ctx.respond = false;
  const text = JSON.stringify(body);
  ctx.length = Buffer.byteLength(text);
  endTogether(() => res.end(text));
};

function isPlain(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.getPrototypeOf(body) === Object.prototype;
}

type OnKoa = Readonly<{
  routeGroups: readonly RouteGroup[];
  logger: Logger;
  settings: AppDependencies['settings'];
  unreadable: UnreadableRows | undefined;
}>;

const mebibyte = 1_048_576;

/** Gives every request what its page mentions: the paths of the existing pages, for the navigation, and unreadable rows. */
function provideForPages({ routeGroups, unreadable }: OnKoa): PipelineStep {
  const pagePaths = new Set(routeGroups.flat().flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));
  return ({ state }, next) => {
    state.pagePaths = pagePaths;
    if (unreadable !== undefined) state.unreadable = unreadable;
    return next();
  };
}

function mountOnKoa({ always, to, elsewhere }: Pipeline, parts: OnKoa): RequestListener {
  const { routeGroups, settings, logger } = parts;
  // Behind a proxy, only the address that this proxy itself appended is trusted: the caller can forge the earlier ones.
  const app = new Koa({ proxy: settings.trustProxy, maxIpsCount: 1 });
  const limitBytes = settings.bodyLimitBytes ?? mebibyte;
  const { routers, routesAt } = routersOf(routeGroups, (route) =>
    to(route, readBody(route.body, route.bodyLimitBytes ?? limitBytes)),
  );
  app.use(batchJsonWrites);
  app.use(provideForPages(parts));
  for (const step of always('any')) app.use(step);
  for (const router of routers) app.use(router);
  for (const step of elsewhere(routesAt)) app.use(step);
  app.on('error', (error: unknown, ctx: Koa.Context) => logConnectionFailure(logger, error, ctx));
  const handle = app.callback();
  return (request, response) => void handle(request, response);
}
