import type { PlantedFault } from '#test/planted/fault.ts';
import { accessFaults } from '#test/planted/lists/access.ts';
import { authorizationFaults } from '#test/planted/lists/authorization.ts';
import { connectionFaults } from '#test/planted/lists/connections.ts';
import { crmFaults } from '#test/planted/lists/crm.ts';
import { deliveryFaults } from '#test/planted/lists/deliveries.ts';
import { grantFaults } from '#test/planted/lists/grants.ts';
import { morePeopleFaults } from '#test/planted/lists/more-people.ts';
import { operationFaults } from '#test/planted/lists/operations.ts';
import { otherServiceFaults } from '#test/planted/lists/other-services.ts';
import { peopleFaults } from '#test/planted/lists/people.ts';
import { registrationFaults } from '#test/planted/lists/registration.ts';
import { sessionFaults } from '#test/planted/lists/sessions.ts';

/** All planted faults, by the groups of their clauses. */
export const allPlanted: readonly PlantedFault[] = [
  ...registrationFaults,
  ...authorizationFaults,
  ...sessionFaults,
  ...operationFaults,
  ...connectionFaults,
  ...peopleFaults,
  ...morePeopleFaults,
  ...grantFaults,
  ...crmFaults,
  ...otherServiceFaults,
  ...deliveryFaults,
  ...accessFaults,
];
