/*
 * mpi/rest.h - what of MPI no derivative may hold, as it is declared: for the rest of a source that is read.
 */
#ifndef GRADWRIGHT_MPI_REST_H
#define GRADWRIGHT_MPI_REST_H

typedef struct gw_mpi_group *MPI_Group;
typedef struct gw_mpi_window *MPI_Win;
typedef struct gw_mpi_file *MPI_File;
typedef struct gw_mpi_info *MPI_Info;
typedef struct gw_mpi_handler *MPI_Errhandler;
typedef struct gw_mpi_found *MPI_Message;
typedef long MPI_Aint;
typedef long long MPI_Offset, MPI_Count;
typedef int MPI_Fint;
enum {
    MPI_CHAR = 11,
    MPI_SIGNED_CHAR,
    MPI_UNSIGNED_CHAR,
    MPI_BYTE,
    MPI_SHORT,
    MPI_UNSIGNED_SHORT,
    MPI_UNSIGNED,
    MPI_LONG,
    MPI_UNSIGNED_LONG,
    MPI_LONG_LONG,
    MPI_LONG_LONG_INT,
    MPI_UNSIGNED_LONG_LONG,
    MPI_LONG_DOUBLE,
    MPI_PACKED,
    MPI_DOUBLE_INT,
    MPI_FLOAT_INT,
    MPI_LONG_INT,
    MPI_2INT,
    MPI_INT8_T,
    MPI_INT16_T,
    MPI_INT32_T,
    MPI_INT64_T,
    MPI_UINT8_T,
    MPI_UINT16_T,
    MPI_UINT32_T,
    MPI_UINT64_T,
    MPI_C_BOOL,
    MPI_CXX_BOOL,
    MPI_C_COMPLEX,
    MPI_C_DOUBLE_COMPLEX,
    MPI_AINT,
    MPI_OFFSET,
    MPI_DATATYPE_NULL
};
enum {
    MPI_LAND = 11,
    MPI_LOR,
    MPI_LXOR,
    MPI_BAND,
    MPI_BOR,
    MPI_BXOR,
    MPI_MAXLOC,
    MPI_MINLOC,
    MPI_REPLACE,
    MPI_NO_OP,
    MPI_OP_NULL
};
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
enum {
    MPI_UNDEFINED = -32766,
    MPI_COMM_TYPE_SHARED = 1,
    MPI_ORDER_C = 56,
    MPI_ORDER_FORTRAN = 57,
    MPI_MAX_PROCESSOR_NAME = 256,
    MPI_MAX_ERROR_STRING = 512,
    MPI_MAX_LIBRARY_VERSION_STRING = 8192,
    MPI_IDENT = 0,
    MPI_CONGRUENT,
    MPI_SIMILAR,
    MPI_UNEQUAL,
    MPI_TAG_UB = 0,
    MPI_MODE_RDONLY = 2,
    MPI_MODE_RDWR = 8,
    MPI_MODE_WRONLY = 4,
    MPI_MODE_CREATE = 1,
    MPI_ERR_OTHER = 16,
    MPI_LOCK_SHARED = 2,
    MPI_LOCK_EXCLUSIVE = 1
};
#define MPI_INFO_NULL        ((MPI_Info)0)
#define MPI_GROUP_NULL       ((MPI_Group)0)
#define MPI_WIN_NULL         ((MPI_Win)0)
#define MPI_FILE_NULL        ((MPI_File)0)
#define MPI_ERRORS_RETURN    ((MPI_Errhandler)0)
#define MPI_ERRORS_ARE_FATAL ((MPI_Errhandler)0)
#define MPI_BOTTOM           ((void *)0)
#define MPI_VERSION          3
#define MPI_SUBVERSION       1

#ifdef __cplusplus
extern "C" {
#define GW_MPI_ANYTHING (...)
#else
#define GW_MPI_ANYTHING ()
#endif
int MPI_Init GW_MPI_ANYTHING;
int MPI_Init_thread GW_MPI_ANYTHING;
int MPI_Initialized GW_MPI_ANYTHING;
int MPI_Finalize GW_MPI_ANYTHING;
int MPI_Finalized GW_MPI_ANYTHING;
int MPI_Query_thread GW_MPI_ANYTHING;
int MPI_Get_processor_name GW_MPI_ANYTHING;
int MPI_Get_version GW_MPI_ANYTHING;
int MPI_Get_library_version GW_MPI_ANYTHING;
int MPI_Error_string GW_MPI_ANYTHING;
int MPI_Error_class GW_MPI_ANYTHING;
int MPI_Comm_split GW_MPI_ANYTHING;
int MPI_Comm_split_type GW_MPI_ANYTHING;
int MPI_Comm_dup GW_MPI_ANYTHING;
int MPI_Comm_free GW_MPI_ANYTHING;
int MPI_Comm_create GW_MPI_ANYTHING;
int MPI_Comm_create_group GW_MPI_ANYTHING;
int MPI_Comm_group GW_MPI_ANYTHING;
int MPI_Comm_compare GW_MPI_ANYTHING;
int MPI_Comm_set_errhandler GW_MPI_ANYTHING;
int MPI_Comm_get_attr GW_MPI_ANYTHING;
int MPI_Comm_set_attr GW_MPI_ANYTHING;
int MPI_Comm_set_name GW_MPI_ANYTHING;
int MPI_Comm_get_name GW_MPI_ANYTHING;
int MPI_Comm_get_parent GW_MPI_ANYTHING;
int MPI_Comm_spawn GW_MPI_ANYTHING;
int MPI_Cart_create GW_MPI_ANYTHING;
int MPI_Cart_coords GW_MPI_ANYTHING;
int MPI_Cart_rank GW_MPI_ANYTHING;
int MPI_Cart_shift GW_MPI_ANYTHING;
int MPI_Cart_get GW_MPI_ANYTHING;
int MPI_Cart_sub GW_MPI_ANYTHING;
int MPI_Dims_create GW_MPI_ANYTHING;
int MPI_Graph_create GW_MPI_ANYTHING;
int MPI_Dist_graph_create_adjacent GW_MPI_ANYTHING;
int MPI_Group_incl GW_MPI_ANYTHING;
int MPI_Group_excl GW_MPI_ANYTHING;
int MPI_Group_free GW_MPI_ANYTHING;
int MPI_Group_rank GW_MPI_ANYTHING;
int MPI_Group_size GW_MPI_ANYTHING;
int MPI_Group_translate_ranks GW_MPI_ANYTHING;
int MPI_Type_contiguous GW_MPI_ANYTHING;
int MPI_Type_vector GW_MPI_ANYTHING;
int MPI_Type_create_hvector GW_MPI_ANYTHING;
int MPI_Type_indexed GW_MPI_ANYTHING;
int MPI_Type_create_subarray GW_MPI_ANYTHING;
int MPI_Type_create_struct GW_MPI_ANYTHING;
int MPI_Type_create_resized GW_MPI_ANYTHING;
int MPI_Type_commit GW_MPI_ANYTHING;
int MPI_Type_free GW_MPI_ANYTHING;
int MPI_Type_size GW_MPI_ANYTHING;
int MPI_Type_get_extent GW_MPI_ANYTHING;
int MPI_Get_address GW_MPI_ANYTHING;
int MPI_Get_count GW_MPI_ANYTHING;
int MPI_Get_elements GW_MPI_ANYTHING;
int MPI_Op_create GW_MPI_ANYTHING;
int MPI_Op_free GW_MPI_ANYTHING;
int MPI_Probe GW_MPI_ANYTHING;
int MPI_Iprobe GW_MPI_ANYTHING;
int MPI_Mprobe GW_MPI_ANYTHING;
int MPI_Improbe GW_MPI_ANYTHING;
int MPI_Mrecv GW_MPI_ANYTHING;
int MPI_Test GW_MPI_ANYTHING;
int MPI_Testall GW_MPI_ANYTHING;
int MPI_Testany GW_MPI_ANYTHING;
int MPI_Testsome GW_MPI_ANYTHING;
int MPI_Waitany GW_MPI_ANYTHING;
int MPI_Waitsome GW_MPI_ANYTHING;
int MPI_Cancel GW_MPI_ANYTHING;
int MPI_Request_free GW_MPI_ANYTHING;
int MPI_Send_init GW_MPI_ANYTHING;
int MPI_Recv_init GW_MPI_ANYTHING;
int MPI_Start GW_MPI_ANYTHING;
int MPI_Startall GW_MPI_ANYTHING;
int MPI_Ibsend GW_MPI_ANYTHING;
int MPI_Issend GW_MPI_ANYTHING;
int MPI_Irsend GW_MPI_ANYTHING;
int MPI_Buffer_attach GW_MPI_ANYTHING;
int MPI_Buffer_detach GW_MPI_ANYTHING;
int MPI_Alltoallw GW_MPI_ANYTHING;
int MPI_Exscan GW_MPI_ANYTHING;
int MPI_Reduce_local GW_MPI_ANYTHING;
int MPI_Ibarrier GW_MPI_ANYTHING;
int MPI_Ibcast GW_MPI_ANYTHING;
int MPI_Ireduce GW_MPI_ANYTHING;
int MPI_Iallreduce GW_MPI_ANYTHING;
int MPI_Igather GW_MPI_ANYTHING;
int MPI_Iscatter GW_MPI_ANYTHING;
int MPI_Iallgather GW_MPI_ANYTHING;
int MPI_Ialltoall GW_MPI_ANYTHING;
int MPI_Igatherv GW_MPI_ANYTHING;
int MPI_Iscatterv GW_MPI_ANYTHING;
int MPI_Iallgatherv GW_MPI_ANYTHING;
int MPI_Ialltoallv GW_MPI_ANYTHING;
int MPI_Ireduce_scatter GW_MPI_ANYTHING;
int MPI_Iscan GW_MPI_ANYTHING;
int MPI_Neighbor_allgather GW_MPI_ANYTHING;
int MPI_Neighbor_alltoall GW_MPI_ANYTHING;
int MPI_Neighbor_alltoallv GW_MPI_ANYTHING;
int MPI_Pack GW_MPI_ANYTHING;
int MPI_Unpack GW_MPI_ANYTHING;
int MPI_Pack_size GW_MPI_ANYTHING;
int MPI_Alloc_mem GW_MPI_ANYTHING;
int MPI_Free_mem GW_MPI_ANYTHING;
int MPI_Win_create GW_MPI_ANYTHING;
int MPI_Win_allocate GW_MPI_ANYTHING;
int MPI_Win_allocate_shared GW_MPI_ANYTHING;
int MPI_Win_shared_query GW_MPI_ANYTHING;
int MPI_Win_free GW_MPI_ANYTHING;
int MPI_Win_fence GW_MPI_ANYTHING;
int MPI_Win_lock GW_MPI_ANYTHING;
int MPI_Win_unlock GW_MPI_ANYTHING;
int MPI_Win_lock_all GW_MPI_ANYTHING;
int MPI_Win_unlock_all GW_MPI_ANYTHING;
int MPI_Win_flush GW_MPI_ANYTHING;
int MPI_Win_sync GW_MPI_ANYTHING;
int MPI_Put GW_MPI_ANYTHING;
int MPI_Get GW_MPI_ANYTHING;
int MPI_Accumulate GW_MPI_ANYTHING;
int MPI_Get_accumulate GW_MPI_ANYTHING;
int MPI_Fetch_and_op GW_MPI_ANYTHING;
int MPI_Compare_and_swap GW_MPI_ANYTHING;
int MPI_File_open GW_MPI_ANYTHING;
int MPI_File_close GW_MPI_ANYTHING;
int MPI_File_read GW_MPI_ANYTHING;
int MPI_File_write GW_MPI_ANYTHING;
int MPI_File_read_at GW_MPI_ANYTHING;
int MPI_File_write_at GW_MPI_ANYTHING;
int MPI_File_read_at_all GW_MPI_ANYTHING;
int MPI_File_write_at_all GW_MPI_ANYTHING;
int MPI_File_set_view GW_MPI_ANYTHING;
int MPI_File_seek GW_MPI_ANYTHING;
int MPI_File_get_size GW_MPI_ANYTHING;
int MPI_Info_create GW_MPI_ANYTHING;
int MPI_Info_set GW_MPI_ANYTHING;
int MPI_Info_free GW_MPI_ANYTHING;
int MPI_Errhandler_create GW_MPI_ANYTHING;
int MPI_Errhandler_set GW_MPI_ANYTHING;
int MPI_Comm_create_errhandler GW_MPI_ANYTHING;
int MPI_Pcontrol GW_MPI_ANYTHING;
int MPI_buffer_of_another_type GW_MPI_ANYTHING; /* a buffer of anything but doubles, floats and integers */
#ifdef __cplusplus
}
#endif
#endif
