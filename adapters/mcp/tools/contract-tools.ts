import type { Tool } from '#adapters/mcp/tools/tool.ts';

/** The names of the planned tools (TOOL-001), after the prefix of each service. */
const planned: Readonly<Record<string, string>> = {
  sales_crm:
    'deals_list deal_get deal_create deal_update persons_list person_get person_create person_update orgs_list org_get org_create activities_list activity_create search pipelines_list leads_list lead_create goals_list',
  signing:
    'documents_list document_get document_create document_send document_status document_download templates_list template_get document_details',
  suite:
    'record_list record_get record_create record_update record_delete search coql_query lead_convert note_create notes_list tag_add tag_remove modules_list fields_list users_list',
  tracker:
    'viewer teams_list team_get issues_list issue_get issue_create issue_update issue_archive comments_list comment_create projects_list project_get project_create project_update cycles_list cycle_get cycle_create initiatives_list initiative_get labels_list label_create documents_list document_create document_update workflow_states_list users_list',
  vault:
    'note_read note_write note_patch note_delete vault_list search search_advanced periodic_read periodic_write commands_list command_run frontmatter_get frontmatter_set tags_list tags_add tags_remove',
};

const names = new Set(
  Object.entries(planned).flatMap(([prefix, list]) => list.split(' ').map((name) => `${prefix}_${name}`)),
);

/** Whether a tool is one of the 84 planned ones; all others are left out of the default list with `TOOLS=contract`. */
export function isContractTool({ name }: Pick<Tool, 'name'>): boolean {
  return names.has(name);
}
