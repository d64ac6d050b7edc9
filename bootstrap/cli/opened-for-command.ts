import { Container } from 'inversify';
import { ProviderSettings } from '#application/setup/provider-settings.ts';
import { printUnreadable, settingsOfCommand } from '#bootstrap/cli/command.ts';
import { isLoopback } from '#bootstrap/config/is-loopback.ts';
import { approvals } from '#bootstrap/modules/approvals.ts';
import { auth } from '#bootstrap/modules/auth.ts';
import { changes } from '#bootstrap/modules/changes.ts';
import { platform } from '#bootstrap/modules/platform.ts';
import { reactions } from '#bootstrap/modules/reactions.ts';
import { remoteServers } from '#bootstrap/modules/remote-servers.ts';
import { remoteSetup } from '#bootstrap/modules/remote-setup.ts';
import { services } from '#bootstrap/modules/services.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { users } from '#bootstrap/modules/users.ts';
import { registrations } from '#bootstrap/modules/webhook-registrations.ts';
import { webhooks } from '#bootstrap/modules/webhooks.ts';
import { withEntered } from '#bootstrap/start/added-servers.ts';
import { openDataDir, openSecrets } from '#bootstrap/start/first-start.ts';
import { openStores } from '#bootstrap/stores/open-stores.ts';
import { openNoteTemplates, openSink } from '#bootstrap/vault/open-sink.ts';
import { serveVault } from '#bootstrap/vault/serve-vault.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';

/** Serves the team's vault within this process, beside a running server; no-op when the notes are in a notes app. */
export async function openTeamVault(container: Container): Promise<() => Promise<void>> {
  const { settings } = container.get(tokens.runtime);
  if (settings.VAULT_URL !== undefined) return async () => {};
  const vault = await serveVault(container, { settings, port: null });
  return () => vault.close();
}

/** Opens everything that the server opens, without listening and starting jobs. */
export async function openedForCommand(): Promise<Readonly<{ container: Container; closeAll(): Promise<void> }>> {
  const { settings: given, config: configured } = await settingsOfCommand();
  await openDataDir(given.dataDir);
  const secrets = await openSecrets(given);
  const templates = await openNoteTemplates(given);
  const logger = openLogger('silent');
  const stores = await openStores({
    settings: given,
    stores: configured.stores,
    logger,
    onUnreadable: printUnreadable,
  });
  const { settings, config } = await withEntered({ settings: given, config: configured }, stores.stores, secrets);
  const runtime = {
    settings,
    secrets,
    baseUrl: settings.BASE_URL ?? `http://localhost:${settings.PORT}`,
    listensOnLoopback: isLoopback(settings.HOST),
    version: '',
    formerCookiesUntil: 0,
  };
  const container = new Container({ defaultScope: 'Singleton' });
  await container.loadAsync(
    platform({ runtime, config, logger, stores, tracer: null }),
    auth,
    remoteServers,
    remoteSetup,
    services,
    changes,
    approvals,
    webhooks(templates),
    reactions,
    registrations,
    users,
  );
  await container.get(ProviderSettings).load();
  const closeSink = await openSink(container);
  return {
    container,
    closeAll: async () => {
      await closeSink();
      await container.unbindAllAsync();
      await stores.close();
    },
  };
}
