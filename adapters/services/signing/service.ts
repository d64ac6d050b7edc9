import { serviceOf } from '#adapters/services/definitions/service-of.ts';
import { signingKind } from '#adapters/services/signing/kind.ts';
import { neutral } from '#adapters/services/signing/neutral/vendor.ts';
import { pandadoc } from '#adapters/services/signing/pandadoc/vendor.ts';

/** The signing service, and its vendors. */
export const signing = serviceOf(signingKind, [neutral, pandadoc]);
