export type { SampleMembers, SampleSale, SignedRequest } from '../sample-request.ts';
export { createReceiver, encode, type Receiver } from './create-receiver.ts';
export { oddJsonBodies } from './odd-json-bodies.ts';
export { orderOfOneLine } from './order-of-one-line.ts';
export { type PlatformSpecimen, platformContract } from './platform-contract.ts';
export type { TestRunner } from './test-runner.ts';
