import { SealedEnteredSettings } from '#adapters/stores/sealed-entered-settings.ts';
import type { ServerFacts } from '#application/ports/server-facts.ts';
import type { Settings } from '#bootstrap/config/settings.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';

/** The settings with the vendors that administrators chose; these serve for as long as the process runs (PSET-014). */
export async function withChosenVendors(
  settings: Settings,
  { serverFacts, secrets }: Readonly<{ serverFacts: ServerFacts; secrets: readonly string[] }>,
): Promise<Settings> {
  const { live } = settings;
  live.start(await new SealedEnteredSettings(serverFacts, boxFor('entered', secrets)).read());
  return { ...settings, services: live.current };
}
