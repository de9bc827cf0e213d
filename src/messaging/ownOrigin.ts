/**
 * Stands where the asking site's origin would for what the wallet's own pages ask. No web origin
 * looks like it: those have a scheme.
 */
export const OWN_ORIGIN = 'countersign';
