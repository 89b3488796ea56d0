export { findLabelObjection } from './find-label-objection.ts';
export { type PlatformLayout, writePlatform } from './write-platform.ts';
