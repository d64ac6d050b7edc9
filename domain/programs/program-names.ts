/** What stands in the activity and in approvals for a program, in place of a service and an operation. */
export const programService = 'workspace';
export const programOperation = 'run';
