/** Error codes of CALLERROR in the spelling of each protocol version. */
export const protocols = ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'] as const;
export type Protocol = (typeof protocols)[number];

/** What can be wrong with a call, independent of the protocol version. */
export type OcppFault =
  | 'formation' // not the structure of a frame, or the payload is no object
  | 'occurrence' // a required field is missing
  | 'type' // a field has a wrong type
  | 'property' // the right type, but an impossible value
  | 'unknownAction'
  | 'unsupported'
  | 'security'
  | 'internal'
  | 'generic';

/**
 * 1.6 misspells "Occurence" and uses FormationViolation; 2.x uses FormatViolation. A charge point expects the spelling
 * of its version.
 */
const codes = {
  formation: { 'ocpp1.6': 'FormationViolation', 'ocpp2.0.1': 'FormatViolation', 'ocpp2.1': 'FormatViolation' },
  occurrence: {
    'ocpp1.6': 'OccurenceConstraintViolation',
    'ocpp2.0.1': 'OccurrenceConstraintViolation',
    'ocpp2.1': 'OccurrenceConstraintViolation',
  },
  type: same('TypeConstraintViolation'),
  property: same('PropertyConstraintViolation'),
  unknownAction: same('NotImplemented'),
  unsupported: same('NotSupported'),
  security: same('SecurityError'),
  internal: same('InternalError'),
  generic: same('GenericError'),
} as const satisfies Record<OcppFault, Record<Protocol, string>>;

export function codeOf(fault: OcppFault, protocol: Protocol): string {
  return codes[fault][protocol];
}

const meanings: ReadonlyMap<string, OcppFault> = new Map<string, OcppFault>([
  ['FormationViolation', 'formation'],
  ['FormatViolation', 'formation'],
  ['ProtocolError', 'formation'],
  ['RpcFrameworkError', 'formation'],
  ['OccurenceConstraintViolation', 'occurrence'],
  ['OccurrenceConstraintViolation', 'occurrence'],
  ['TypeConstraintViolation', 'type'],
  ['PropertyConstraintViolation', 'property'],
  ['NotImplemented', 'unknownAction'],
  ['NotSupported', 'unsupported'],
  ['MessageTypeNotSupported', 'unsupported'],
  ['SecurityError', 'security'],
  ['InternalError', 'internal'],
]);

/** Returns the meaning of a received code in any spelling. */
export function ocppFaultOf(code: string): OcppFault {
  return meanings.get(code) ?? 'generic';
}

function same<Code extends string>(code: Code): Record<Protocol, Code> {
  return { 'ocpp1.6': code, 'ocpp2.0.1': code, 'ocpp2.1': code };
}

/** A handler throws this to answer CALLERROR. Any other error is a bug and is answered with `InternalError`. */
export class CallRefused extends Error {
  readonly fault: OcppFault;
  readonly details: object;

  constructor(fault: OcppFault, description: string, details: object = {}) {
    super(description);
    this.name = 'CallRefused';
    this.fault = fault;
    this.details = details;
  }
}
