import type { Clients } from '#application/ports/clients.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { Random } from '#application/ports/random.ts';
import {
  type Client,
  type ClientMetadata,
  type ClientRegistrationError,
  registerClient,
} from '#domain/oauth/client.ts';
import type { Result } from '#domain/shared/result.ts';

/** Registers a client dynamically (RFC 7591); its name and redirect URIs are self-asserted. */
export class RegisterClient {
  readonly #clients: Clients;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(clients: Clients, clock: Clock, random: Random) {
    this.#clients = clients;
    this.#clock = clock;
    this.#random = random;
  }

  /** Returns the new client with its secret. */
  async run(metadata: ClientMetadata): Promise<Result<Client, ClientRegistrationError>> {
    const random = (bytes: number): string => this.#random.token(bytes);
    const client = registerClient(metadata, { random, now: this.#clock.now() });
    if (client.ok) await this.#clients.keep(client.value);
    return client;
  }
}
