// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The parts of the L1 side that the relayer asks: written for tests, after the published rules.

contract Exchange {
    mapping(address => mapping(bytes32 => bool)) public approved;

    function approveTransaction(address owner, bytes32 transactionHash) external {
        require(msg.sender == owner, "NOT_OWNER");
        approved[owner][transactionHash] = true;
    }

    function isTransactionApproved(address owner, bytes32 transactionHash) external view returns (bool) {
        return approved[owner][transactionHash];
    }
}

contract Implementation {}

contract CloneFactory {
    address public immutable implementation;

    constructor(address _implementation) {
        implementation = _implementation;
    }

    function _create(bytes32 salt) internal returns (address made) {
        bytes memory code = abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73",
            implementation,
            hex"5af43d82803e903d91602b57fd5bf3"
        );
        assembly {
            made := create2(0, add(code, 32), mload(code), salt)
        }
        require(made != address(0), "CREATE2");
    }
}

contract NftFactory is CloneFactory {
    constructor(address _implementation) CloneFactory(_implementation) {}

    function createNftContract(address owner, string calldata baseURI) external payable returns (address) {
        return _create(keccak256(abi.encodePacked("NFT_CONTRACT_CREATION", owner, baseURI)));
    }
}

contract WalletFactory is CloneFactory {
    constructor(address _implementation) CloneFactory(_implementation) {}

    function createWallet(address owner, uint256 salt) external returns (address) {
        return _create(keccak256(abi.encodePacked("WALLET_CREATION", owner, salt)));
    }
}

/// A wallet that signs by its owner (EIP-1271).
contract Wallet {
    address public immutable owner;

    constructor(address _owner) {
        owner = _owner;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        require(signature.length == 65, "LENGTH");
        address signer = ecrecover(
            hash,
            uint8(signature[64]),
            bytes32(signature[0:32]),
            bytes32(signature[32:64])
        );
        return signer == owner ? bytes4(0x1626ba7e) : bytes4(0xffffffff);
    }
}

/// Says yes in a form that is not EIP-1271's.
contract LiarWallet {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes memory) {
        return hex"1626ba7e";
    }
}
