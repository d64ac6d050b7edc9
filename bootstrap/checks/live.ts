import type { Container } from 'inversify';
import { type LiveResult, liveResults } from '#adapters/services/credentials/live-checks.ts';
import { nameOf, type Provider, vendorsOf } from '#adapters/services/definitions/provider.ts';
import { providerFor } from '#adapters/services/gateway.ts';
import { AccessTokens } from '#application/connections/access-tokens.ts';
import { AutomationUser } from '#application/users/automation-user.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { isActive } from '#domain/sessions/session.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { User } from '#domain/users/user.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';

/** What a vendor answered over one user's connection; `problem` says why it was not asked, null when it was. */
export type LiveReport = Readonly<{
  service: ServiceKey;
  name: string;
  userId: number | null;
  problem: string | null;
  results: readonly LiveResult[];
}>;

/**
 * Asks each vendor what its documents leave open, over one connection: the automation user's, else that of the first
 * user who has one. Only reads; the report has no secrets.
 */
export async function askVendors(container: Container): Promise<readonly LiveReport[]> {
  const reports: LiveReport[] = [];
  for (const service of container.get(tokens.providers)) {
    for (const vendor of vendorsOf(service)) {
      const isAt = (record: TokenRecord) => providerFor(service, record) === vendor;
      if ((vendor.checks ?? []).length > 0) reports.push(await askVendor(container, vendor, isAt));
    }
  }
  return reports;
}

type IsAt = (record: TokenRecord) => boolean;

async function askVendor(container: Container, provider: Provider, isAt: IsAt): Promise<LiveReport> {
  const { service } = provider;
  const about = { service, name: nameOf(provider), userId: null, results: [] };
  const userId = await userConnectedTo(container, provider, isAt);
  if (userId === null) return { ...about, problem: 'nobody is connected' };
  const found = await container.get(AccessTokens).find(userId, service);
  if (!found.ok) return { ...about, userId, problem: found.failure.message };
  const results = await liveResults(provider, found.value, container.get(HttpClient));
  return { ...about, userId, problem: null, results };
}

async function userConnectedTo(container: Container, { service }: Provider, isAt: IsAt): Promise<number | null> {
  const connections = container.get(tokens.connections);
  const automation = container.get(AutomationUser).id;
  const users = (await container.get(tokens.users).list()).filter(isActive);
  const isFirst = ({ id }: User) => Number(id === automation);
  for (const { id } of users.toSorted((left, right) => isFirst(right) - isFirst(left))) {
    const connection = await connections.find(id, service);
    if (connection !== null && isAt(connection.record)) return id;
  }
  return null;
}

/** The lines of a report. */
export function liveLines({ name, userId, problem, results }: LiveReport): readonly string[] {
  const head = `${name}${userId === null ? '' : `, over the connection of user ${userId}`}`;
  if (problem !== null) return [`${head}: not asked, ${problem}`];
  return [head, ...results.map(({ question, answer }) => `  ${question} ${answer}`)];
}
