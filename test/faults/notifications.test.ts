import { notifications } from '#test/faults/rows/notifications.ts';
import { itHolds } from '#test/faults/short-form.ts';

itHolds(notifications);
