import type { PlantedFault } from '#test/planted/fault.ts';
import { authorizationFaults } from '#test/planted/lists/authorization.ts';
import { registrationFaults } from '#test/planted/lists/registration.ts';

/** All planted faults, by the groups of their clauses. */
export const allPlanted: readonly PlantedFault[] = [...registrationFaults, ...authorizationFaults];
