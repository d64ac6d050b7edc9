import { fromOpenApi } from '#adapters/services/from-openapi/from-openapi.ts';
import { publishedDocument } from '#test/examples/openapi/published-documents.ts';

/** A service from GitHub's published OpenAPI document, with a few operations picked. */
const document = publishedDocument('@octokit/openapi/generated/api.github.com.json');

/** A service for the issues and pull requests of a code host. */
export const codeHost = fromOpenApi(document, {
  key: 'code_host',
  title: 'Code host',
  auth: { kind: 'apiKey', in: 'header', name: 'Authorization', prefix: 'token ' },
  probe: 'users/get-authenticated',
  headers: { accept: 'application/vnd.github.v3+json' },
  operations: [
    'issues/list-for-repo',
    { pick: 'issues/create', name: 'issue_create' },
    'search/repos',
    { pick: 'PUT /repos/{owner}/{repo}/contents/{path}', name: 'file_write' },
    'issues/lock',
  ],
});

/** Release assets are uploaded to a different server. */
export const codeHostUploads = fromOpenApi(document, {
  key: 'code_host_uploads',
  auth: { kind: 'bearer' },
  server: 'https://uploads.github.com',
  probe: 'users/get-authenticated',
  operations: [{ pick: 'repos/upload-release-asset', name: 'asset_upload', paging: null }],
});
