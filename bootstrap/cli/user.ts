import { systemTerminal } from '#adapters/cli/system-terminal.ts';
import type { Managing, UserStore } from '#adapters/cli/user-acts.ts';
import { runUserCommand } from '#adapters/cli/user-command.ts';
import { SealedMessages } from '#adapters/messages/sealed-messages.ts';
import { cachedGrants, cachedSessions, cachedUsers } from '#adapters/stores/cached-stores.ts';
import { SealedAddedServers } from '#adapters/stores/sealed-remote.ts';
import { Audit, type AuditedAct } from '#application/audit/audit.ts';
import { DisconnectService } from '#application/connections/disconnect-service.ts';
import { SignOutEverywhere } from '#application/session/sign-out-everywhere.ts';
import { ManageUsers } from '#application/users/manage-users.ts';
import { PasswordLinks } from '#application/users/password-links.ts';
import { configOfCommand, printError, printUnreadable, settingsOfCommand } from '#bootstrap/cli/command.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { openDataDir, openSecrets } from '#bootstrap/start/first-start.ts';
import { linkDigest } from '#bootstrap/start/link-digest.ts';
import { boxFor } from '#bootstrap/stores/boxes.ts';
import { openStores } from '#bootstrap/stores/open-stores.ts';
import type { User } from '#domain/users/user.ts';
import { Argon2Passwords } from '#infrastructure/crypto/argon2-passwords.ts';
import { systemRandom } from '#infrastructure/crypto/random.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { systemClock } from '#infrastructure/time/system-clock.ts';

/** How long a link of the command is valid, in ms: an hour. */
const linkLifetimeMs = 3_600_000;

try {
  const services = (await configOfCommand()).services.map(({ key }) => key);
  process.exitCode = await runUserCommand(process.argv.slice(2), { open, terminal: systemTerminal, services });
} catch (error) {
  process.exitCode = printError(error);
}
// Do not wait for the rest of standard input.
process.stdin.destroy();

async function open(): Promise<UserStore> {
  const { settings, config } = await settingsOfCommand();
  await openDataDir(settings.dataDir);
  // An act that cannot be recorded in the audit log is reported.
  const logger = openLogger('error');
  const { stores, close } = await openStores({
    settings,
    stores: config.stores,
    logger,
    onUnreadable: printUnreadable,
  });
  const secrets = await openSecrets(settings);
  const box = boxFor('messages', secrets);
  const servers = new SealedMessages(stores.serverMessages, { box, clock: systemClock, logger });
  // Running servers are notified of each change.
  const publish = (userId: number) => servers.publish('account', { userId });
  const users = cachedUsers(stores.users, { onChange: publish });
  const sessions = cachedSessions(stores.sessions, { onChange: publish });
  const grants = cachedGrants(stores.grants, { onChange: publish });
  const signOutEverywhere = new SignOutEverywhere({ users, sessions, grants, clock: systemClock });
  const { AUTOMATION_USER_ID: automationUserId } = settings;
  const audit = new Audit({ log: stores.auditLog, clock: systemClock, logger });
  const ports = {
    users,
    note: (act: AuditedAct) => audit.note(act),
    passwords: new Argon2Passwords(),
    signOutEverywhere,
  };
  const links = new PasswordLinks({ ...ports, clock: systemClock, random: systemRandom, digest: linkDigest(secrets) });
  const baseUrl = settings.BASE_URL ?? `http://localhost:${settings.PORT}`;
  const linkFor = async (user: User): Promise<string | null> => {
    const link = await links.make(user, linkLifetimeMs);
    return link === null ? null : `${baseUrl}/welcome?link=${link}`;
  };
  const added = await new SealedAddedServers(stores.serverFacts, boxFor('remote', secrets)).read();
  const services = [...new Set([...config.services, ...added].map(({ key }) => key))];
  return { ...ports, services, managing, automationUserId, linkFor, close };
}

/** Opens what the server opens, for what acts on connections. */
async function managing(): Promise<Managing> {
  // Loaded on demand: most commands do without.
  const { openedForCommand } = await import('#bootstrap/cli/opened-for-command.ts');
  const { container, closeAll } = await openedForCommand();
  const disconnecting = container.get(DisconnectService);
  const note = container.get(tokens.note);
  const disconnect: Managing['disconnect'] = async (userId, service) => {
    const isRevoked = await disconnecting.run(userId, service);
    if (isRevoked !== null) await note({ action: 'connection.disconnected', by: null, userId, subject: service });
    return isRevoked;
  };
  return { manage: container.get(ManageUsers), disconnect, close: closeAll };
}
