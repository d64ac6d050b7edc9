import type { Settings } from '#bootstrap/config/settings.ts';

/** Returns the webhooks that this version registers, by service and name. */
export function desiredOf({ services }: Pick<Settings, 'services'>) {
  return services.flatMap(({ service, webhooks }) =>
    (webhooks?.desired ?? []).map(({ name }) => ({ service: service.key, name })),
  );
}
