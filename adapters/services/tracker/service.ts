import { serviceOf } from '#adapters/services/definitions/service-of.ts';
import { jira } from '#adapters/services/tracker/jira/vendor.ts';
import { trackerKind } from '#adapters/services/tracker/kind.ts';
import { linear } from '#adapters/services/tracker/linear/vendor.ts';
import { neutral } from '#adapters/services/tracker/neutral/vendor.ts';

/** The tracker, and its vendors. */
export const tracker = serviceOf(trackerKind, [neutral, linear, jira]);
