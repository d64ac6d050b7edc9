import type { VendorGuide } from '#adapters/services/definitions/vendor.ts';

/** The setup guide for a suite CRM in the neutral dialect. */
export const neutralSuiteGuide: VendorGuide = {
  settings: {
    SUITE_CRM_WEBHOOK_TOKEN: 'The random token that deliveries contain.',
    SUITE_CRM_WEBHOOK_ADDRESSES: 'Addresses or ranges, comma separated, that deliveries may come from.',
  },
};
