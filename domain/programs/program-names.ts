/** What stands in the activity and in approvals for a program, in place of a service and an operation. */
export const programService = 'workspace';
export const programOperation = 'run';

/** The same in words, for people. */
export const programTexts = { title: 'Run a program', service: 'Several services' };

/** Whether an entry of the activity, or an approval, is of a program itself. */
export function isOfProgram({ service, operation }: Readonly<{ service: string; operation: string }>): boolean {
  return service === programService && operation === programOperation;
}
