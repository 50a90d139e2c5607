import { elements, enumOf, integer, localDate, standardEntity, string, toMany, toOne } from '@lintel/metadata';
import { Fuel } from './fuel.ts';

/** A vehicle identification number has 17 characters without I, O and Q (ISO 3779). */
const VIN = /[A-HJ-NPR-Z0-9]{17}/;

export const Car = standardEntity('garage_Car', {
  attributes: {
    plate: string(12).mandatory().unique(),
    vin: string(17).mandatory().unique().pattern(VIN, '{msg://garage/invalidVin}'),
    make: string(50).mandatory(),
    model: string(50).mandatory(),
    year: integer().min(1886),
    fuel: enumOf(Fuel).mandatory(),
    mileage: integer().mandatory().min(0).default(0),
    inspectionDue: localDate(),
    equipment: elements(50),
    owner: toOne('garage_Customer').mandatory().onTargetDelete('DENY'),
    jobs: toMany('garage_Job', 'car'),
  },
  instanceName: ['{plate}', ' ', '{make}', ' ', '{model}'],
  indexes: [{ attributes: ['inspectionDue'], unique: false }],
});
