import type { VendorGuide } from '#adapters/services/definitions/vendor.ts';

/** The setup guide for the tracker at Jira Cloud. */
export const jiraGuide: VendorGuide = {
  app: [
    'Open [the developer console](https://developer.atlassian.com/console/myapps/) of Atlassian, and create an **OAuth 2.0 integration**.',
    'Under **Permissions**, add the **Jira API** with the scopes `read:jira-work`, `write:jira-work`, `read:jira-user` and, for webhooks, `manage:jira-webhook`; and with the granular scopes `read:board-scope:jira-software`, `read:project:jira`, `read:sprint:jira-software` and `write:sprint:jira-software` for sprints.',
    'Under **Authorization**, add **OAuth 2.0 (3LO)** with the callback address below.',
    'Under **Settings**, copy **Client ID** and **Secret** into the settings below. Under **Distribution**, share the app if people other than its owner will connect.',
  ],
  key: [
    'Create [an API token](https://id.atlassian.com/manage-profile/security/api-tokens) at Atlassian.',
    'Open **Connections** in Portolan. Save your e-mail address and the token with a colon between them (`ann@example.com:token`), and your site, such as `acme.atlassian.net`, as `site`.',
  ],
  deliveries: [
    'Generate a random secret, for example with `openssl rand -hex 32`, and set `TRACKER_WEBHOOK_SECRET` to it.',
    'Connect the automation user by OAuth: the owner of the app, unless the app is shared. Portolan then registers the webhook for all projects that this user sees, and renews it before it ends after 30 days.',
    'With `WEBHOOK_REGISTRATION=off`, or an API token, an administrator of Jira creates the webhook under **System**, **WebHooks**, for issues, with the webhook address below and the secret.',
  ],
  settings: { TRACKER_WEBHOOK_SECRET: 'The secret that deliveries are signed with, or their address proven by.' },
};
