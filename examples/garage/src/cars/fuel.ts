import { enumeration } from '@lintel/metadata';

export const Fuel = enumeration('garage.Fuel', { PETROL: 'P', DIESEL: 'D', ELECTRIC: 'E', HYBRID: 'H' });
