/** Address of the script that a Worker runs as the computer player. */
declare module "virtual:opponent-worker" {
  const url: string;
  export default url;
}
