/** What mechanics measure at a car, in JSON Schema: parts that were not looked at are left out. */
export const MEASUREMENTS = {
  type: 'object',
  properties: {
    brakePads: {
      type: 'object',
      description: 'Thickness in millimetres.',
      properties: { front: { type: 'number', minimum: 0 }, rear: { type: 'number', minimum: 0 } },
      additionalProperties: false,
    },
    tyreTread: {
      type: 'array',
      description: 'Depth in millimetres: front left, front right, rear left, rear right.',
      items: { type: 'number', minimum: 0 },
      minItems: 4,
      maxItems: 4,
    },
    faultCodes: {
      type: 'array',
      description: 'As the control unit of the car reports them.',
      items: { type: 'string', pattern: '^[PCBU][0-9A-F]{4}$' },
    },
  },
  additionalProperties: false,
} as const;
