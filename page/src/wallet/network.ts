import { hasCode, type PageDeployment } from "duello";
import { toQuantity } from "ethers";
import { account, chainOf, walletChain } from "./account.ts";
import { askWallet } from "./discovery.ts";

/** Code of EIP-3085 for a chain that the wallet does not know. */
const UNKNOWN_CHAIN = 4902;

/**
 * Asks the wallet to switch to the chain of a deployment, and to add the chain if it is unknown.
 * @throws the error of the wallet if the person or the wallet refuses
 */
export async function switchNetwork(deployment: PageDeployment): Promise<void> {
  const { kind, provider } = account.value ?? {};
  if (kind !== "wallet") return;
  const chainId = toQuantity(deployment.chainId);
  const ask = () => askWallet(provider!, "wallet_switchEthereumChain", [{ chainId }]);
  try {
    await ask();
  } catch (error) {
    if (!hasCode(error, UNKNOWN_CHAIN)) throw error;
    await askWallet(provider!, "wallet_addEthereumChain", [networkOf(deployment)]);
    // Some wallets add a chain without switching to it.
    if ((await chainOf(provider!)) !== BigInt(deployment.chainId)) await ask();
  }
  walletChain.value = await chainOf(provider!);
}

/** Describes a chain in the format of EIP-3085. */
function networkOf({ chainId, name, coin = "ETH", rpc }: PageDeployment) {
  return {
    chainId: toQuantity(chainId),
    chainName: name ?? `Chain ${chainId}`,
    nativeCurrency: { name: coin, symbol: coin, decimals: 18 },
    rpcUrls: rpc.map((url) => new URL(url, location.href).href),
  };
}
