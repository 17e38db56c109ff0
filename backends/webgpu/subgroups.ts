/** What tells of a device whether rows can be joined by its subgroups. */
export interface SubgroupFacts {
  readonly features: Pick<GPUSupportedFeatures, 'has'>
  readonly adapterInfo: Pick<GPUAdapterInfo, 'subgroupMinSize' | 'subgroupMaxSize'>
}

/** Whether a device has subgroups of one size: where a driver chooses it for each kernel, the order of a sum would be its choice, too. */
export const hasSubgroups = ({ features, adapterInfo: { subgroupMinSize, subgroupMaxSize } }: SubgroupFacts): boolean =>
  features.has('subgroups') && subgroupMinSize !== undefined && subgroupMinSize === subgroupMaxSize
