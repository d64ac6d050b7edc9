import type { Logger } from '#application/ports/logger.ts';
import type { Tracer } from '#application/ports/tracer.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { OpenTelemetryTracer } from '#infrastructure/tracing/open-telemetry-tracer.ts';

/** The tracer, and a function that flushes the last spans. */
type OpenTracing = Readonly<{ tracer: Tracer; close(): Promise<void> }>;

/** What tracing depends on: its settings, the server's version, and how modules are loaded. */
type TracingParts = Readonly<{
  settings: Pick<Settings, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME' | 'OTEL_NODE_RESOURCE_DETECTORS'>;
  version: string;
  logger: Logger;
  load?: (name: string) => Promise<unknown>;
}>;

/** The package that exports spans, which must be installed to use tracing. */
export const tracingPackage = '@opentelemetry/sdk-node';

/** The global under which OpenTelemetry's API stores what is registered with it. */
const registered = Symbol.for('opentelemetry.js.api.1');

/**
 * Opens tracing if an endpoint is set, or if the host program has registered an SDK with OpenTelemetry's API. Null
 * otherwise: then nothing is loaded and no spans are created. A missing package is only logged.
 */
export async function openTracing({
  settings,
  version,
  logger,
  load = (name) => import(name),
}: TracingParts): Promise<OpenTracing | null> {
  const isRegistered = hasTraces(Reflect.get(globalThis, registered));
  if (settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined && !isRegistered) return null;
  const close = isRegistered ? async () => {} : await startSdk({ settings, logger, load });
  if (close === null) return null;
  const api = await import('@opentelemetry/api');
  return { tracer: new OpenTelemetryTracer(api, version), close };
}

function hasTraces(api: unknown): boolean {
  return typeof api === 'object' && api !== null && Reflect.get(api, 'trace') !== undefined;
}

type SdkParts = Required<Pick<TracingParts, 'settings' | 'logger' | 'load'>>;

/** Starts the SDK, which reads the other OTEL_ variables itself; null when it is not installed. */
async function startSdk({ settings, logger, load }: SdkParts): Promise<(() => Promise<void>) | null> {
  let loaded: unknown;
  try {
    loaded = await load(tracingPackage);
  } catch {
    loaded = null;
  }
  const sdk = sdkOf(loaded, {
    serviceName: settings.OTEL_SERVICE_NAME,
    // By default its detectors report the host name, the user and the command line.
    autoDetectResources: settings.OTEL_NODE_RESOURCE_DETECTORS !== undefined,
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
  });
  if (sdk === null) {
    logger.warn({ package: tracingPackage }, missingText);
    return null;
  }
  sdk.start();
  return () => sdk.shutdown().catch((error: unknown) => logger.warn({ err: error }, 'The last spans were not sent'));
}

const missingText = `OTEL_EXPORTER_OTLP_ENDPOINT is set, but ${tracingPackage} is not installed: no traces are sent. Install it next to Portolan (npm install ${tracingPackage}), or remove the variable`;

type Sdk = Readonly<{ start(): void; shutdown(): Promise<void> }>;

function sdkOf(loaded: unknown, options: Readonly<Record<string, unknown>>): Sdk | null {
  const made: unknown = hasClass(loaded) ? new loaded.NodeSDK(options) : null;
  return isSdk(made) ? made : null;
}

function hasClass(loaded: unknown): loaded is { NodeSDK: new (options: object) => unknown } {
  return typeof loaded === 'object' && loaded !== null && typeof Reflect.get(loaded, 'NodeSDK') === 'function';
}

function isSdk(made: unknown): made is Sdk {
  return typeof made === 'object' && made !== null && 'start' in made && 'shutdown' in made;
}
